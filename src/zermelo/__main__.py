"""`python -m zermelo`: the command line, also where a shell does not find `zermelo`."""

from zermelo.app.cli import main

if __name__ == "__main__":
    main(prog_name="zermelo")

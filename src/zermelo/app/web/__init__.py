"""The web page: a thin server that checks and passes on messages, and one host process for each open tab."""

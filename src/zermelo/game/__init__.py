"""The protocol of games, the traits they declare, the states they are made of, and the errors."""

"""A game in progress (`Play`), what each player may see of it, and saved games (`Record`)."""

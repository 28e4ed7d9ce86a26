"""Equilibria of games with hidden information: regret minimisation, best responses, linear programming."""

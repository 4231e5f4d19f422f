"""The notebooks run, and what they show is what is stored in them."""

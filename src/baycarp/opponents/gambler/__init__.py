"""Gambler (Matthews 2005): two networks that play, and that infer the cards of others from their actions."""

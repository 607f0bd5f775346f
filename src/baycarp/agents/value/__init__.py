"""The default agent: it decides by what each action is worth; cases propose and explain."""

"""Tools for language models: what ``baycarp serve mcp`` offers, by the Model Context Protocol.

``parameters``  the parameters of the tools, with the words and bounds of their JSON schemas
``cards``       equity, strength, ranges
``spots``       a spot of two players, solved
``hands``       a decision with its reasons; a hand read, reviewed; statistics of players
``toolbox``     all tools by name
``worker``      the process that computes: one tool at once, within time and memory
``server``      the protocol on standard input and output

A further tool is a function of one of them, or of a module beside them, and a name in ``toolbox``: its
signature becomes the JSON schema, its docstring what the model reads.
"""

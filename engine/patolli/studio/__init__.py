"""The studio: play, inspect, and edit games in the browser.

``table`` has the state and the operations of one table, and ``states`` what each client may see of it. ``hall`` has
the registry of all tables with its threads and processes, ``store`` the database, and ``app`` the protocol. ``scene``
turns matches into drawings as data, and ``page`` draws them in the browser.
"""

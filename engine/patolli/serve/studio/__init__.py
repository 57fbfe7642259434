"""The studio: play, inspect, and edit games in the browser.

``table`` has the state and the operations of one table, and ``states`` what each client may see of it.
``table_registry`` has all tables with their threads and processes, ``store`` the database, and ``app`` the protocol.
``scene`` turns matches into drawings as data, and ``page`` draws them in the browser.
"""

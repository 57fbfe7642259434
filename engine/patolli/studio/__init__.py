"""The studio: see, play, ask and change games in the browser.

``table`` is one table and what may be done there, ``states`` what is told of it to whom, ``hall`` all of them and the
threads and processes in which the work is done, ``store`` where they are kept, and ``app`` the protocol. ``scene``
makes drawings of matches as data, ``page`` draws them.
"""

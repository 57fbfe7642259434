"""Share packs: indexes of archives, installation with dependencies, releases that keep their promises.

``pack_index`` is the format of an index, ``index_source`` reads one from a folder or a web server, ``resolution``
chooses versions, ``pack_store`` changes the folder of the user's packs. ``public_names`` finds which version number a
release is due, ``compatibility`` plays modules against a new version of their base.
"""

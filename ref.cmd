@python "%~dp0ref" %*

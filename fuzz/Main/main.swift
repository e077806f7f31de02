import Glibc

exit(fuzz())

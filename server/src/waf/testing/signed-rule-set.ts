/** A rule set as an archive, signatures of it by three OpenPGP keys, and two of the keys; made once with GnuPG. */
const bytes = (text: string) => Buffer.from(text, 'base64')

export const archive = bytes(
  'H4sIAAAAAAAAA+3ST0vDMBgG8J33KUJBejD2j1tXKAgOD97XD1CyJpvBNClJuk3E727qyYkeOwWf3+VNyEsS8sQJn84mlgVlUXzU' +
    '4Gv9ZrwqQiHF1BcbDc4zS8gljvqLXMjfHHXSGr2b6owx1NVy+WP+i7w8zz/P8mIxI9lUF/rsn+dfi/bBdL3RQvta7jXzgxUkGoeC' +
    'Ezso4dI8yaJ5aNyEGVlvHmsS3dsT2Rm7lZwLHZFI8qrMxtxo/8ScqG7pVpn2mfpKh61p5/ZVvCZHY3lMPQuTnlmmjWQ3ShyESvOY' +
    'hp94YLaK/SmRemsGzZvQ0TH10rjWWNH0Kr+7vnoN662VXrZMnTe8xdH8t58TAAAAAAAAAAAAAAAAAAAAAOCi3gHCCSGdACgAAA==',
)
/** By `publisherKey`, armored. */
export const signature = `-----BEGIN PGP SIGNATURE-----

iIgEABYIADAWIQRDgn/T6nut4P5DWSGmMM/f/BIGKwUCawUE4hIccnVsZXNAZXhh
bXBsZS5jb20ACgkQpjDP3/wSBisFGAEAhW+Yd5/gBx2RQrjkK7akLkmxV2zKU6Bu
pdGw3I1toccA/jtZcPETbonOe7lvJzokNgjQUCT3nBPy1avgSi5iQvIM
=fR6i
-----END PGP SIGNATURE-----
`
/** By a key that is not in this file, as bytes. */
export const foreignSignature = bytes(
  'iIgEABYIADAWIQRREw53ZxQzDNOlf93ejvZxkMlevwUCawUE4hIcb3RoZXJAZXhhbXBsZS5jb20ACgkQ3o72cZDJXr8XkQEAr5DJ' +
    '4t585BUoyvb3ilg7bIwZQNXWRxR9bKZ6lHA4S94A/AkX7flPz2yR+bVaQ+r0ukXKzZb1+dygsKdK7IhdQQ8C',
)
/** By `formerKey` while it was valid. */
export const formerSignature = `-----BEGIN PGP SIGNATURE-----

iIkEABYIADEWIQQL592l5NhRtKoR47fn7GLqWJnbGQUCXtRFABMcZm9ybWVyQGV4
YW1wbGUuY29tAAoJEOfsYupYmdsZaqsA/i4BYA04z3eivPX+0QRyKBIWfCjPl6ad
9XRf9ZjkIlHhAQCcVlAPm7F2yEhraJ7cWW5GFsOGIKJ81aZKHQHLLOpfDw==
=a4Nv
-----END PGP SIGNATURE-----
`
export const publisherKey = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawUEoBYJKwYBBAHaRw8BAQdANoh8dxyNnLsmLVFR2CgqWtxon4HZyTI1Jn5G
YabncWi0IlJ1bGUgUHVibGlzaGVyIDxydWxlc0BleGFtcGxlLmNvbT6IkAQTFggA
OBYhBEOCf9Pqe63g/kNZIaYwz9/8EgYrBQJrBQSgAhsDBQsJCAcCBhUKCQgLAgQW
AgMBAh4BAheAAAoJEKYwz9/8EgYrnwwA/2fK4++HWGuCNv5obFKqMlDqfl5dG69r
IuIqqNPoK1RnAP0QImA5uyGNsl0sH52Pwp9AR2J0u6WUJOGZIT0gavrbCw==
=tOvL
-----END PGP PUBLIC KEY BLOCK-----
`
/** Expired in 2020. */
export const formerKey = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEXgvhABYJKwYBBAHaRw8BAQdAnJ7o5V/ZQQ65oSYCpRBxUCxdlAh/q/tGrhH0
oqyaJke0JUZvcm1lciBQdWJsaXNoZXIgPGZvcm1lckBleGFtcGxlLmNvbT6IlgQT
FggAPhYhBAvn3aXk2FG0qhHjt+fsYupYmdsZBQJeC+EAAhsDBQkB4TOABQsJCAcC
BhUKCQgLAgQWAgMBAh4BAheAAAoJEOfsYupYmdsZZ3QA/iKMRGwDusXWlTM5Mqov
w5Vr3AxwaWN+R/iecTIYccb1AP91Cg3SiSE8eMcoP0Mmt+W81VTLZldmNuYdNDtt
EKDKCQ==
=m2hn
-----END PGP PUBLIC KEY BLOCK-----
`

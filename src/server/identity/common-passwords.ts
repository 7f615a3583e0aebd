/** Words that the most used passwords are made of; a password made of nothing else is refused by the `nist` profile. */
export const COMMON_PASSWORD_WORDS: readonly string[] = `
  password passwort passw0rd pass word welcome letmein admin administrator login master root user guest test
  qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm 1q2w3e 1q2w3e4r qazwsx iloveyou love lovely
  sunshine princess dragon monkey football baseball soccer hockey basketball superman batman spiderman pokemon starwars
  trustno1 whatever shadow michael jennifer jessica ashley daniel jordan charlie thomas robert andrew michelle nicole
  freedom secret hello hunter ginger pepper cookie cheese summer winter spring autumn january february december monday
  friday flower butterfly computer internet samsung google apple microsoft killer mustang ferrari mercedes chelsea
  liverpool arsenal barcelona london america canada jesus angel family forever changeme default access private abc xyz
`
  .trim()
  .split(/\s+/);

/** Words of this shop, guessed first by whoever attacks it. */
export const SHOP_WORDS: readonly string[] = ['dogear', 'books', 'book', 'bookshop', 'bookstore', 'secondhand', 'used'];

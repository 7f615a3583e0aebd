/** What the sellers of the demo shop say of themselves, by their addresses; the others say nothing. */
export const DEMO_ABOUT: Readonly<Record<string, string>> = {
  'seller@example.com':
    'A small shop with a big back room. Three generations of readers have left their books with us, and we go through every page before we list one.\n\nCome by on Saturdays, or have it posted.',
  'hannah.weiss@example.com': 'I moved to a smaller flat. Mostly novels, read once, kept out of the sun.',
  'priya.raman@example.com': 'Textbooks of two degrees, and what I read to forget them.',
  'oddfellow.lane@example.com':
    'History, maps and travel since 1987. Older books are described by a bookseller of thirty years; ask about anything.',
  'jun.takeda@example.com': 'Comics, manga and Japanese literature, in both languages.',
};

/** What the shop shows as Popular Books: titles that pass through it again and again, whether it has copies or not. */
export const POPULAR_BOOKS = [
  { title: 'Pride and Prejudice', authors: 'Jane Austen', about: 'First impressions, second thoughts.' },
  { title: 'The Great Gatsby', authors: 'F. Scott Fitzgerald', about: 'A green light across the water.' },
  { title: 'To Kill a Mockingbird', authors: 'Harper Lee', about: 'A summer that asks for courage.' },
  { title: 'One Hundred Years of Solitude', authors: 'Gabriel García Márquez', about: 'A family, a village, an age.' },
  { title: 'The Hobbit', authors: 'J.R.R. Tolkien', about: 'There and back again.' },
  { title: 'Beloved', authors: 'Toni Morrison', about: 'What the past will not let go.' },
] as const;

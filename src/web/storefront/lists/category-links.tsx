import { classes } from '#web/ui/classes.ts';
import { useCategories } from '#web/shell/data/categories.ts';

/**
 * Every category as a way in, for visitors who do not know yet what they are looking for; on a phone in one row that is
 * pushed aside, if it `isRow`.
 */
export const CategoryLinks = ({ isRow = false }: { isRow?: boolean }) => {
  const categories = useCategories();
  if (categories.length === 0) return null;
  return (
    <nav aria-label="Books by category" className="mb-8">
      <ul className={classes('category-pills', isRow && 'pill-row')}>
        {categories.map((category) => (
          <li key={category.category_id}>
            <a href={`/category/${category.category_id}`}>{category.category_name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

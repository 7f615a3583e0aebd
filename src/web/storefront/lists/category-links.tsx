import { Link } from 'react-router';
import { useCategories } from '#web/shell/data/categories.ts';

/** Every category as a way in, for visitors who do not know yet what they are looking for. */
export const CategoryLinks = () => {
  const categories = useCategories();
  if (categories.length === 0) return null;
  return (
    <nav aria-label="Books by category" className="mb-8">
      <ul className="flex flex-wrap gap-2">
        {categories.map((category) => (
          <li key={category.category_id} className="min-w-0">
            <Link
              to={`/category/${category.category_id}`}
              className="inline-flex min-h-9 max-w-full items-center rounded-full border border-base-300 bg-base-100 px-4 py-1.5 text-sm break-words hover:border-primary hover:text-primary"
            >
              {category.category_name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

import { Link, useLocation } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import classes from './category-tiles.module.css';

export function CategoryTiles() {
  const { pathname } = useLocation();
  const { data: categories, isError } = useCategoriesQuery();
  if (isError || categories?.length === 0) return null;
  return (
    <nav aria-label="Categories">
      <ul className={classes.tiles}>
        {categories?.map(({ id, name, image }) => (
          <li key={id} className={classes.tile}>
            <ToolPicture
              tool={{ name, cover_image: image }}
              className={classes.picture}
              sizes="(min-width: 48em) 12vw, 108px"
            />
            <Link to={`${pathname}?category=${id}`} preventScrollReset className={classes.link}>
              {name}
            </Link>
          </li>
        )) ??
          Array.from({ length: 8 }, (_, index) => `waiting-${index}`).map((key) => (
            <li key={key} className={classes.tile} aria-hidden>
              <div className={`skeleton ${classes.picture}`} />
              <div className={`skeleton ${classes.nameSkeleton}`} />
            </li>
          ))}
      </ul>
    </nav>
  );
}

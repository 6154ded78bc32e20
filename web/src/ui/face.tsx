import { hasImage, imageWidth } from '@lendtools/contracts/images';
import classes from './face.module.css';

function initial(word = '') {
  return [...word][0] ?? '';
}

interface FaceProps {
  name: string;
  image?: string | null;
  /** Width and height in pixels. */
  size?: number;
}

/** Hidden from screen readers, because the name is next to it. */
export function Face({ name, image, size = 38 }: FaceProps) {
  const words = name.split(' ').filter(Boolean);
  return (
    <span className={classes.face} style={{ width: size, height: size }} aria-hidden>
      {hasImage(image) ? (
        <img src={imageWidth(image, 320)} alt="" loading="lazy" width={size} height={size} />
      ) : (
        (initial(words[0]) + initial(words.slice(1).at(-1))).toUpperCase()
      )}
    </span>
  );
}

import {
  IconAxe,
  IconBrush,
  IconHammer,
  IconLadder,
  type IconProps,
  IconRuler2,
  IconShovel,
  IconTool,
  IconTrowel,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import classes from './pegboard.module.css';

const tools: { name: string; icon: ComponentType<IconProps>; hue: string }[] = [
  { name: 'hammer', icon: IconHammer, hue: 'orange' },
  { name: 'ladder', icon: IconLadder, hue: 'green' },
  { name: 'brush', icon: IconBrush, hue: 'yellow' },
  { name: 'tool', icon: IconTool, hue: 'blue' },
  { name: 'shovel', icon: IconShovel, hue: 'green' },
  { name: 'axe', icon: IconAxe, hue: 'orange' },
  { name: 'ruler2', icon: IconRuler2, hue: 'yellow' },
  { name: 'trowel', icon: IconTrowel, hue: 'blue' },
];

export function Pegboard({ shift }: { shift: number }) {
  return (
    <div className={classes.board} aria-hidden>
      {[...tools.slice(shift), ...tools.slice(0, shift)].map(({ icon: Icon, name, hue }) => (
        <span key={name} className={classes.tile} data-hue={hue}>
          <Icon size="52%" stroke={1.3} />
        </span>
      ))}
    </div>
  );
}

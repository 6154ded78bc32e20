import * as paths from '@lendtools/contracts/pages';
import { Button, Group, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDocumentVisibility, useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import type { EmblaCarouselType } from 'embla-carousel';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { whenUsed } from '../../lib/when-used.ts';
import classes from './banner.module.css';
import { Pegboard } from './pegboard.tsx';

interface SlideContent {
  key: string;
  title: ReactNode;
  text: string;
  /** `about` completes the label for screen readers, which read the label without the slide. */
  actions: { label: string; about?: string; to: string }[];
}

const learnMore = { label: 'LEARN MORE', about: 'about how it works', to: paths.howItWorks };
const uploadTool = { label: 'UPLOAD TOOL', to: paths.addTool };
const createAccount = { label: 'CREATE AN ACCOUNT', to: paths.signUp };

function slides(isMember: boolean): SlideContent[] {
  return [
    {
      key: 'rent-and-lend',
      title: <Title order={1}>Rent & Lend Tools in Your Neighborhood</Title>,
      text: 'Why buy an expensive tool to use it once? Borrow it next door, or lend yours.',
      actions: [learnMore, uploadTool],
    },
    {
      key: 'share',
      title: (
        <Title order={2} fz="h1">
          One good drill is enough for the whole street
        </Title>
      ),
      text: 'Share tools, waste less, and get to know the people next door while you are at it.',
      actions: isMember ? [uploadTool] : [createAccount],
    },
  ];
}

/** Only touch swipes turn the slides; dragging with a mouse selects text. */
function isTouch(_: unknown, event: MouseEvent | TouchEvent) {
  return event.type.startsWith('touch');
}

const showMs = 3000;

/** Calls `next` every three seconds, except on a phone, with reduced motion, or with pointer or focus on the slides. */
function useSlideshow(next: () => void) {
  const onPhone = useMediaQuery('(max-width: 464px)');
  const wantsCalm = useReducedMotion();
  const isSeen = useDocumentVisibility() === 'visible';
  const [isPaused, setIsPaused] = useState(false);
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const moves = !onPhone && !wantsCalm;
  const plays = moves && isSeen && !isPaused && !isPointed && !isFocused;
  const onTime = useEffectEvent(next);
  useEffect(() => {
    if (!plays) return;
    const timer = setInterval(() => onTime(), showMs);
    return () => clearInterval(timer);
  }, [plays]);
  const holders = {
    onMouseEnter: () => setIsPointed(true),
    onMouseLeave: () => setIsPointed(false),
    onFocus: () => setIsFocused(true),
    onBlur: () => setIsFocused(false),
  };
  return { moves, isPaused, setIsPaused, holders };
}

/** The first slide is plain HTML; the carousel's code loads on the first interaction. */
function useSlides(count: number) {
  const viewport = useRef<HTMLDivElement>(null);
  const [embla, setEmbla] = useState<EmblaCarouselType>();
  const [current, setCurrent] = useState(0);
  const wanted = useRef(0);
  useEffect(() => {
    let made: EmblaCarouselType | undefined;
    let isGone = false;
    const make = async () => {
      await whenUsed();
      const { default: createCarousel } = await import('embla-carousel');
      if (isGone || !viewport.current) return;
      made = createCarousel(viewport.current, {
        loop: true,
        watchDrag: isTouch,
        startIndex: wanted.current,
      });
      made.on('select', (carousel) => setCurrent(carousel.selectedScrollSnap()));
      setEmbla(made);
    };
    // If the carousel fails to load, the banner shows its first slide.
    make().catch(() => undefined);
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  const show = (index: number) => {
    wanted.current = (index + count) % count;
    setCurrent(wanted.current);
    embla?.scrollTo(wanted.current);
  };
  return { viewport, current, show, next: () => embla?.scrollNext() };
}

/** Screen readers can read every slide, but only the current slide's buttons are focusable. */
function Slide({
  slide,
  index,
  isCurrent,
}: {
  slide: SlideContent;
  index: number;
  isCurrent: boolean;
}) {
  const { title, text, actions } = slide;
  return (
    <div className={classes.slide}>
      <div className={classes.words}>
        {title}
        <Text className={classes.text}>{text}</Text>
        <Group gap="xs" mt="md" className={classes.actions} inert={!isCurrent}>
          {actions.map(({ label, about, to }, index) => (
            <Button
              key={label}
              component={Link}
              to={to}
              variant={index === 0 ? 'filled' : 'default'}
              className={classes.action}
            >
              {label}
              {about && <VisuallyHidden>&nbsp;{about}</VisuallyHidden>}
            </Button>
          ))}
        </Group>
      </div>
      <Pegboard shift={index * 4} />
    </div>
  );
}

/** Changes its slides by itself until the user pauses it or selects a slide. Screen readers don't announce them. */
export function Banner() {
  const all = slides(useUser() !== null);
  const { viewport, current, show, next } = useSlides(all.length);
  const { moves, isPaused, setIsPaused, holders } = useSlideshow(next);
  const choose = (index: number) => {
    setIsPaused(true);
    show(index);
  };
  const turn = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') choose(current - 1);
    if (key === 'ArrowRight') choose(current + 1);
  };
  return (
    <section
      className={classes.banner}
      aria-label="Welcome"
      aria-roledescription="carousel"
      onKeyDown={turn}
    >
      <div ref={viewport} className={classes.viewport} {...holders}>
        <div className={classes.slides}>
          {all.map((slide, index) => (
            <Slide key={slide.key} slide={slide} index={index} isCurrent={index === current} />
          ))}
        </div>
      </div>
      <div className={classes.dots}>
        {all.map(({ key }, index) => (
          <UnstyledButton
            key={key}
            className={classes.dot}
            aria-label={`Slide ${index + 1} of ${all.length}`}
            aria-current={index === current || undefined}
            onClick={() => choose(index)}
          />
        ))}
      </div>
      {moves && (
        <UnstyledButton
          className={`icon-button ${classes.pause}`}
          onClick={() => setIsPaused(!isPaused)}
          aria-label={isPaused ? 'Play slideshow' : 'Pause slideshow'}
        >
          {isPaused ? <IconPlayerPlayFilled size={16} /> : <IconPlayerPauseFilled size={16} />}
        </UnstyledButton>
      )}
    </section>
  );
}

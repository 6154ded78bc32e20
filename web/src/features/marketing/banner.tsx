import { Carousel } from '@mantine/carousel';
import '@mantine/carousel/styles.css';
import { ActionIcon, Button, Group, Text, Title } from '@mantine/core';
import { useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import Autoplay from 'embla-carousel-autoplay';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import classes from './banner.module.css';
import { Pegboard } from './pegboard.tsx';

interface SlideContent {
  key: string;
  title: ReactNode;
  text: string;
  actions: { label: string; to: string }[];
}

const learnMore = { label: 'LEARN MORE', to: '/how-it-works' };
const uploadTool = { label: 'UPLOAD TOOL', to: '/user/add-rental' };
const createAccount = { label: 'CREATE AN ACCOUNT', to: '/create-account' };

const slides = (isMember: boolean): SlideContent[] => [
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

/** Swiping turns the slides; dragging with a mouse selects text instead. */
const isTouch = (_: unknown, event: MouseEvent | TouchEvent) => event.type.startsWith('touch');

function useAutoplay() {
  const onPhone = useMediaQuery('(max-width: 464px)');
  const wantsCalm = useReducedMotion();
  const [plugin] = useState(() =>
    Autoplay({ delay: 3000, playOnInit: false, stopOnInteraction: false, stopOnMouseEnter: true }),
  );
  const [ready, setReady] = useState(false);
  const [paused, setPaused] = useState(false);
  const moves = !onPhone && !wantsCalm;
  useEffect(() => {
    if (!ready) return;
    if (moves && !paused) plugin.play();
    else plugin.stop();
  }, [ready, moves, paused, plugin]);
  return { plugin, moves, paused, setPaused, onReady: () => setReady(true) };
}

/** The home banner: slides by itself, but not on a phone and not for those who asked for calm. */
export function Banner() {
  const isMember = useUser() !== null;
  const [current, setCurrent] = useState(0);
  const { plugin, moves, paused, setPaused, onReady } = useAutoplay();
  return (
    <section className={classes.banner} aria-label="Welcome" aria-roledescription="carousel">
      <Carousel
        withControls={false}
        withIndicators
        withKeyboardEvents
        emblaOptions={{ loop: true, watchDrag: isTouch }}
        // The plugin and the carousel see two copies of the same type declarations.
        plugins={[plugin] as unknown as ComponentProps<typeof Carousel>['plugins']}
        getEmblaApi={onReady}
        onSlideChange={setCurrent}
        classNames={{ indicators: classes.dots, indicator: classes.dot }}
      >
        {slides(isMember).map(({ key, title, text, actions }, index) => (
          <Carousel.Slide key={key} inert={index !== current}>
            <div className={classes.slide}>
              <div className={classes.words}>
                {title}
                <Text className={classes.text}>{text}</Text>
                <Group gap="xs" mt="md" className={classes.actions}>
                  {actions.map(({ label, to }, place) => (
                    <Button
                      key={label}
                      component={Link}
                      to={to}
                      variant={place === 0 ? 'filled' : 'default'}
                      className={classes.action}
                    >
                      {label}
                    </Button>
                  ))}
                </Group>
              </div>
              <Pegboard shift={index * 4} />
            </div>
          </Carousel.Slide>
        ))}
      </Carousel>
      {moves && (
        <ActionIcon
          className={classes.pause}
          variant="subtle"
          color="gray"
          c="inherit"
          size="lg"
          onClick={() => setPaused(!paused)}
          aria-label={paused ? 'Let the banner move' : 'Stop the banner'}
        >
          {paused ? <IconPlayerPlayFilled size={16} /> : <IconPlayerPauseFilled size={16} />}
        </ActionIcon>
      )}
    </section>
  );
}

import * as paths from '@lendtools/contracts/pages';
import { Button, Group, SimpleGrid, Text, Title, type TitleOrder } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { Face } from '../../ui/face.tsx';
import {
  benefits,
  type Point,
  safetyIcon as SafetyIcon,
  safetyPoints,
  steps,
  testimonials,
} from './marketing-content.ts';
import classes from './sections.module.css';

interface SectionProps {
  /** The level of the first heading; 1 if the section is a page of its own. */
  order?: TitleOrder;
  /** Whether a phone shows less of it, because it has a page of its own. */
  brief?: boolean;
}

function PointCard({ point, step, order }: { point: Point; step?: number; order: TitleOrder }) {
  const Icon = point.icon;
  return (
    <li className={classes.card}>
      <Group justify="space-between" align="start">
        <span className={classes.icon}>
          <Icon size={26} stroke={1.7} aria-hidden />
        </span>
        {step && (
          <span className={classes.step} aria-hidden>
            {step}
          </span>
        )}
      </Group>
      <Title order={order} fz="h3" mt="md">
        {point.title}
      </Title>
      <Text mt={4} c="dimmed" className={classes.text}>
        {point.text}
      </Text>
    </li>
  );
}

function below(order: TitleOrder) {
  return (order + 1) as TitleOrder;
}

export function HowItWorks({ order = 2, brief }: SectionProps) {
  return (
    <section className={classes.section} data-brief={brief}>
      <Title order={order}>How it works</Title>
      <Text c="dimmed" mt={4} size="lg" className={classes.text}>
        Three steps from “I need a drill” to a hole in the wall.
      </Text>
      <SimpleGrid component="ol" cols={{ base: 1, sm: 3 }} className={classes.list} mt="lg">
        {steps.map((point, index) => (
          <PointCard key={point.title} point={point} step={index + 1} order={below(order)} />
        ))}
      </SimpleGrid>
    </section>
  );
}

export function Benefits({ order = 2, brief }: SectionProps) {
  return (
    <section className={classes.section} data-brief={brief}>
      <Title order={order}>Benefits</Title>
      <Text c="dimmed" mt={4} size="lg" className={classes.text}>
        Expensive tools that are used once are wasteful. Shared ones build a neighborhood.
      </Text>
      <SimpleGrid
        component="ul"
        cols={{ base: brief ? 2 : 1, xs: 2, md: 4 }}
        className={classes.list}
        mt="lg"
      >
        {benefits.map((point) => (
          <PointCard key={point.title} point={point} order={below(order)} />
        ))}
      </SimpleGrid>
    </section>
  );
}

export function Testimonials({ brief }: Pick<SectionProps, 'brief'>) {
  return (
    <section className={classes.section} data-brief={brief}>
      <Title order={2}>What neighbors say</Title>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 3 }} className={classes.list} mt="lg">
        {testimonials.map(({ quote, name, about }) => (
          <li key={name} className={`${classes.card} ${classes.testimonial}`}>
            <figure className={classes.quote}>
              <blockquote>“{quote}”</blockquote>
              <Group component="figcaption" gap="sm" wrap="nowrap">
                <Face name={name} />
                <span>
                  <Text component="span" fw={650} display="block">
                    {name}
                  </Text>
                  <Text component="span" size="sm" c="dimmed">
                    {about}
                  </Text>
                </span>
              </Group>
            </figure>
          </li>
        ))}
      </SimpleGrid>
    </section>
  );
}

export function Safety({ brief }: Pick<SectionProps, 'brief'>) {
  const isMember = useUser() !== null;
  return (
    <section className={`${classes.section} ${classes.safety}`} data-brief={brief}>
      <div>
        <SafetyIcon size={44} stroke={1.4} aria-hidden />
        <Title order={2} mt="xs">
          Safe to lend, safe to borrow
        </Title>
        <Button
          component={Link}
          to={isMember ? paths.addTool : paths.signUp}
          variant="white"
          color="orange"
          mt="lg"
        >
          {isMember ? 'UPLOAD TOOL' : 'CREATE AN ACCOUNT'}
        </Button>
      </div>
      <ul className={classes.safetyList}>
        {safetyPoints.map(({ title, text, icon: Icon }) => (
          <li key={title}>
            <Icon size={26} stroke={1.7} aria-hidden />
            <div>
              <Title order={3}>{title}</Title>
              <Text mt={2} className={classes.text}>
                {text}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

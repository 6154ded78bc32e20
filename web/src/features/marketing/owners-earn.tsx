import * as paths from '@lendtools/contracts/pages';
import { Button, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatMoney } from '../../rental/format.ts';
import classes from './owners-earn.module.css';

const examples = [
  { name: 'Cordless drill', price: 18 },
  { name: 'Pressure washer', price: 24 },
  { name: 'Extension ladder', price: 15 },
  { name: 'Tile saw', price: 32 },
];

const ownerPoints = [
  'You set the price, by the day or by the hour.',
  'Renters pay by card before they pick up, so nobody owes you anything at the door.',
  'Take a tool off the market whenever you need it yourself.',
];

export function OwnersEarn() {
  const [example = { name: '', price: 0 }, setExample] = useState(examples[0]);
  const [days, setDays] = useState(4);
  const id = useId();
  return (
    <section className={classes.earn}>
      <div>
        <Title order={2}>What your tools could earn</Title>
        <ul className={classes.points}>
          {ownerPoints.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <Button component={Link} to={paths.addTool} mt="md">
          List a tool
        </Button>
      </div>
      <div className={classes.sum}>
        <fieldset className={classes.tools}>
          <legend>Your tool</legend>
          {examples.map((each) => (
            <label key={each.name} className={classes.tool}>
              <input
                type="radio"
                name={`${id}-tool`}
                checked={each === example}
                onChange={() => setExample(each)}
              />
              {each.name}
            </label>
          ))}
        </fieldset>
        <label htmlFor={`${id}-days`} className={classes.daysLabel}>
          Lent on {days} {days === 1 ? 'day' : 'days'} a month
        </label>
        <input
          id={`${id}-days`}
          type="range"
          min={1}
          max={15}
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          className={classes.days}
        />
        <output htmlFor={`${id}-days`} className={classes.result}>
          <span className={classes.amount}>{formatMoney(example.price * days, true)}</span>
          <Text span c="dimmed">
            a month, at {formatMoney(example.price, true)} a day
          </Text>
        </output>
      </div>
    </section>
  );
}

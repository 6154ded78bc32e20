import { describe, expect, it } from '@jest/globals';
import { emptyDraft, readDraft, writeDraft } from './booking-draft.ts';

const draft = {
  start_date: '2027-03-01',
  start_time: '9.00 AM',
  end_date: '2027-03-03',
  end_time: '7.15 PM',
  quantity: 2,
};

describe('readDraft', () => {
  it('returns the draft that writeDraft wrote', () => {
    expect(readDraft(new URLSearchParams(writeDraft('drill', draft)))).toEqual(draft);
  });

  it('ignores values that can’t be chosen', () => {
    const typed = 'start_date=tomorrow&start_time=9.00+am&end_time=09:00&quantity=0';

    expect(readDraft(new URLSearchParams(typed))).toEqual(emptyDraft);
  });

  it.each(['2026-99-99', '2027-02-29', '2026-', 'xx'])('ignores the invalid day %s', (day) => {
    const typed = new URLSearchParams({ start_date: day, end_date: day });

    expect(readDraft(typed)).toEqual(emptyDraft);
  });
});

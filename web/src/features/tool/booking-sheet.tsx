import { Drawer } from '@mantine/core';
import classes from './booking-card.module.css';
import { BookingForm, type BookingFormProps } from './booking-form.tsx';

interface BookingSheetProps extends BookingFormProps {
  opened: boolean;
  onClose: () => void;
}

export default function BookingSheet({ opened, onClose, ...form }: BookingSheetProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      title={form.tool.name}
      classNames={{ content: classes.sheet, body: classes.sheetBody }}
    >
      <BookingForm {...form} calendarOpened />
    </Drawer>
  );
}

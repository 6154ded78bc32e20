import { OwnersEarn } from '../features/marketing/owners-earn.tsx';
import { Benefits, HowItWorks, Safety, Testimonials } from '../features/marketing/sections.tsx';

export default function HomeStory() {
  return (
    <>
      <OwnersEarn />
      <HowItWorks brief />
      <Benefits brief />
      <Testimonials brief />
      <Safety brief />
    </>
  );
}

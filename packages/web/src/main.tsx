// The page: starts where it was loaded from, below whatever path that is.

import { createRoot } from 'react-dom/client';
import './look/tokens.css';
import './look/page.css';
import { App } from './app/app.tsx';
import { Boundary } from './app/boundary.tsx';
import { Api } from './server/api.ts';

const place = document.getElementById('page');
if (place)
  createRoot(place).render(
    <Boundary name="The page">
      <App api={new Api(new URL('.', location.href))} />
    </Boundary>,
  );

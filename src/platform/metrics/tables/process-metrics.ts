/**
 * The metrics of `prom-client` that the gateway exposes, with their meaning. The other metrics of
 * `prom-client` are left out, because they count all handles one by one at each scrape.
 */
export const processMetrics = {
  process_cpu_user_seconds_total: 'Processor time of the process itself.',
  process_cpu_system_seconds_total: 'Processor time of the system for the process.',
  process_cpu_seconds_total: 'Both together.',
  process_start_time_seconds: 'Start of the process, seconds since 1970.',
  process_resident_memory_bytes: 'Memory of the process.',
  process_virtual_memory_bytes: 'Addresses that the process has reserved (Linux).',
  process_heap_bytes: 'Size of its data segment (Linux).',
  process_open_fds: 'Open files and sockets (Linux).',
  process_max_fds: 'Largest number of these (Linux).',
  nodejs_eventloop_lag_seconds: 'Delay of the event loop when it was scraped before.',
  nodejs_eventloop_lag_min_seconds: 'Smallest delay of the event loop since the scrape before.',
  nodejs_eventloop_lag_max_seconds: 'Largest delay of the event loop since the scrape before.',
  nodejs_eventloop_lag_mean_seconds: 'Mean delay since the scrape before.',
  nodejs_eventloop_lag_stddev_seconds: 'Standard deviation of these delays.',
  nodejs_eventloop_lag_p50_seconds: 'Median of these delays.',
  nodejs_eventloop_lag_p90_seconds: 'The delay that one turn in ten exceeded.',
  nodejs_eventloop_lag_p99_seconds: 'The delay that one turn in a hundred exceeded.',
  nodejs_heap_size_total_bytes: 'Size of the JavaScript heap.',
  nodejs_heap_size_used_bytes: 'What is used of it.',
  nodejs_external_memory_bytes: 'Memory of buffers and other objects outside of the heap.',
  nodejs_heap_space_size_total_bytes: 'Size of each space of the heap.',
  nodejs_heap_space_size_used_bytes: 'What is used of each.',
  nodejs_heap_space_size_available_bytes: 'What is free of each.',
  nodejs_version_info: 'The version of Node.js, as labels; always 1.',
  nodejs_gc_duration_seconds: 'Time of garbage collections, by kind.',
} as const satisfies Readonly<Record<string, string>>;

using System.Diagnostics;
using System.Globalization;
using Spectre.Console;

namespace Raven.CommandLine.Output;

/// <summary>
/// Shows how far a run is: a bar with documents/s and MB/s on a terminal, a line every ten seconds in a log.
/// </summary>
/// <param name="log">Receives the lines.</param>
/// <param name="isInteractive">Whether there is a terminal.</param>
/// <param name="totalBytes">The length of all sources; 0 if it is not known.</param>
/// <param name="logInterval">How long nothing is logged after a line; ten seconds if null.</param>
internal sealed class Progress(
    TextWriter log, bool isInteractive, long totalBytes, TimeSpan? logInterval = null)
{
    private static readonly TimeSpan Refresh = TimeSpan.FromMilliseconds(200);

    private readonly TimeSpan _logInterval = logInterval ?? TimeSpan.FromSeconds(10);
    private readonly long _start = Stopwatch.GetTimestamp();
    private long _lastLog = Stopwatch.GetTimestamp();
    private long _documents;
    private long _rawBytes;
    private long _textBytes;

    internal long Documents => Volatile.Read(ref _documents);

    internal TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    /// <summary>Notes how far the run is. Called for every document, so it must cost nothing.</summary>
    internal void Report(long documents, long rawBytes, long textBytes)
    {
        Volatile.Write(ref _documents, documents);
        Volatile.Write(ref _rawBytes, rawBytes);
        Volatile.Write(ref _textBytes, textBytes);
        if (!isInteractive && (documents & 1023) == 0 && Stopwatch.GetElapsedTime(_lastLog) >= _logInterval)
        {
            _lastLog = Stopwatch.GetTimestamp();
            log.WriteLine(Describe());
        }
    }

    /// <summary>Runs the work, with the bar around it if there is a terminal.</summary>
    internal async Task<T> RunAsync<T>(string title, Func<Task<T>> work)
    {
        if (!isInteractive)
        {
            return await work();
        }

        return await AnsiConsole.Progress()
            .Columns(
                new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn())
            .StartAsync(async context =>
            {
                ProgressTask bar = context.AddTask(Markup.Escape(title), maxValue: Math.Max(1, totalBytes));
                bar.IsIndeterminate = totalBytes == 0;
                Task<T> running = Task.Run(work);
                while (await Task.WhenAny(running, Task.Delay(Refresh, TimeProvider.System)) != running)
                {
                    bar.Value = Volatile.Read(ref _rawBytes);
                    bar.Description = Markup.Escape($"{title}: {Describe()}");
                }

                bar.Value = bar.MaxValue;
                return await running;
            });
    }

    /// <summary>Documents, documents/s and MB/s (of unpacked text) so far.</summary>
    internal string Describe()
    {
        double seconds = Math.Max(Elapsed.TotalSeconds, 1e-3);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Documents:N0} documents in {seconds:0.0} s, {Documents / seconds:N0} documents/s, " +
            $"{Volatile.Read(ref _textBytes) / 1e6 / seconds:0.0} MB/s");
    }
}

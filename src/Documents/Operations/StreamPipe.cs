using System.IO.Pipelines;

namespace Raven.Documents.Operations;

/// <summary>Two halves of the work on the bytes of a long operation, each on a thread of its own: while one inflates,
/// say, the other one reads what was inflated before.</summary>
public static class StreamPipe
{
    private const int PieceBytes = 1 << 20;
    private const int AheadBytes = 4 * PieceBytes;

    /// <summary>Runs both halves, until the second one ends.</summary>
    /// <param name="produce">Writes bytes. If it fails, the read behind the last of them throws its exception.</param>
    /// <param name="consume">Reads them. When it returns or fails, the other half is ended.</param>
    /// <param name="cancellation">Ends both.</param>
    public static async Task RunAsync(
        Func<Stream, CancellationToken, Task> produce, Func<Stream, Task> consume, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(produce);
        ArgumentNullException.ThrowIfNull(consume);
        var pipe = new Pipe(new PipeOptions(
            pauseWriterThreshold: AheadBytes, resumeWriterThreshold: AheadBytes / 2, minimumSegmentSize: PieceBytes,
            useSynchronizationContext: false));
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task producing = Task.Run(() => ProduceAsync(pipe.Writer, produce, stop.Token), CancellationToken.None);
        try
        {
            await consume(pipe.Reader.AsStream(leaveOpen: true)).ConfigureAwait(false);
        }
        finally
        {
            // A pipe without a reader takes all bytes without looking at the token: so it has one until it is full.
            await stop.CancelAsync().ConfigureAwait(false);
            await producing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await pipe.Reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    private static async Task ProduceAsync(
        PipeWriter target, Func<Stream, CancellationToken, Task> produce, CancellationToken cancellation)
    {
        try
        {
            await produce(target.AsStream(leaveOpen: true), cancellation).ConfigureAwait(false);
            await target.CompleteAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await target.CompleteAsync(e).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Passes all bytes on, in pieces.</summary>
    /// <param name="source">Gives them.</param>
    /// <param name="target">Takes them.</param>
    /// <param name="cancellation">Ends it between two pieces.</param>
    public static Task CopyAsync(Stream source, Stream target, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source.CopyToAsync(target, PieceBytes, cancellation);
    }
}

namespace Raven.Documents.Indexing.Extensions;

/// <summary>How long the code of an analyzer may run over one text: its loops and calls are counted on the thread that
/// runs it, so that code that does not end is an error of the text.</summary>
/// <param name="begin">Begins to count down a number of steps.</param>
/// <param name="end">Ends to count.</param>
internal sealed class StepLimit(Action<long> begin, Action end)
{
    // Some hundredths of a second of the shortest steps; for a text of 10 KB twice as many.
    private const long StepsMin = 10_000_000;
    private const long StepsOfTextByte = 1000;

    /// <summary>Begins with a text of a length in bytes.</summary>
    internal void Begin(int length) => begin(StepsMin + (length * StepsOfTextByte));

    /// <summary>Ends with the text.</summary>
    internal void End() => end();
}

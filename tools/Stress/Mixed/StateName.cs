namespace Raven.Tools.Stress.Mixed;

/// <summary>
/// What besides documents has a state of its own in the <see cref="Ledger"/>, and how it is named there: a document by
/// its id, everything else by a word, a blank and where it is.
/// </summary>
internal static class StateName
{
    internal const string Attachment = "attachment";
    internal const string Counter = "counter";
    internal const string Value = "value";

    internal static string OfAttachment(string id, string name) => $"{Attachment} {id} {name}";

    internal static string OfCounter(string id, string name) => $"{Counter} {id} {name}";

    internal static string OfValue(string key) => $"{Value} {key}";

    internal static bool IsDocument(string state) => !state.Contains(' ', StringComparison.Ordinal);

    /// <summary>The word, and the parts of the place.</summary>
    internal static string[] Split(string state) => state.Split(' ');
}

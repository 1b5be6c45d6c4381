namespace Raven.Tools.Stress.Mixed;

/// <summary>
/// Names of everything besides documents that has a state in the <see cref="Ledger"/>: a document has its id,
/// everything else a word, a blank and its place.
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

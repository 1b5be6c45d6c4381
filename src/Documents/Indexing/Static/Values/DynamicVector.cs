namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The result of <c>CreateVector</c>: a value that is one vector, or several.</summary>
/// <param name="Value">A list of numbers, a text in base64, or a list of these.</param>
internal sealed record DynamicVector(DynamicValue Value);

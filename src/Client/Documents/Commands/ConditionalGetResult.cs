namespace Raven.Client.Documents.Commands;

/// <summary>A document that has changed, empty if there is none, or the statement that it is unchanged.</summary>
internal sealed record ConditionalGetResult(ReadOnlyMemory<byte> Document, bool IsUnchanged);

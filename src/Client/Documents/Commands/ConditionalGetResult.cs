namespace Raven.Client.Documents.Commands;

/// <summary>
/// The result of a conditional read: the document, empty if it does not exist; or that it is unchanged.
/// </summary>
internal sealed record ConditionalGetResult(ReadOnlyMemory<byte> Document, bool IsUnchanged);

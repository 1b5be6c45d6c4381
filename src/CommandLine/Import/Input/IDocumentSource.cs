namespace Raven.CommandLine.Import.Input;

/// <summary>Gives the documents of a file one after the other.</summary>
internal interface IDocumentSource
{
    /// <summary>
    /// The next document, a valid JSON object in UTF-8; false at the end. The bytes are valid until the next call.
    /// </summary>
    /// <exception cref="ImportFormatException">The file is broken there; no call may follow.</exception>
    bool TryRead(out ReadOnlyMemory<byte> document);

    /// <summary>The first line of the document given last.</summary>
    long Line { get; }
}

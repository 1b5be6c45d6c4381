namespace Raven.Documents.Ids;

/// <summary>What is wrong with an id, and where. Making one allocates nothing; describing it does.</summary>
/// <param name="Problem">What is wrong, or <see cref="DocumentIdProblem.None"/>.</param>
/// <param name="Position">The byte at which it is wrong.</param>
public readonly record struct DocumentIdError(DocumentIdProblem Problem, int Position)
{
    /// <summary>A sentence for the client, of the form "the id …".</summary>
    public string Describe() => Problem switch
    {
        DocumentIdProblem.None => "the id is well formed.",
        DocumentIdProblem.Empty => "the id is empty.",
        DocumentIdProblem.TooLong => $"the id has {Position} bytes; the limit is {DocumentId.SizeBytesMax}.",
        DocumentIdProblem.TooLongAfterFolding =>
            $"the id has more than {DocumentId.SizeBytesMax} bytes once its letters are folded to one case.",
        DocumentIdProblem.ControlCharacter =>
            $"the id holds a control character that ids cannot (U+0000, U+001E, U+001F) at byte {Position}.",
        _ => $"the id is not UTF-8 at byte {Position}.",
    };
}

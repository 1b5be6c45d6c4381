using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Rules;
using Raven.Documents.Schemas;

namespace Raven.Documents.Commands;

/// <summary>
/// Why a command was not executed, and because of which of its operations. It is a result, not an exception: conflicts
/// are ordinary. Its texts live in the command's context.
/// </summary>
public readonly struct CommandFailure
{
    /// <summary>Why, or <see cref="CommandFailureKind.None"/>.</summary>
    public CommandFailureKind Kind { get; init; }

    /// <summary>Which operation of a batch.</summary>
    public int OperationIndex { get; init; }

    /// <summary>The id it was about, UTF-8.</summary>
    public NativeSlice Id { get; init; }

    /// <summary>A conflict: the version that was expected; empty if none must exist.</summary>
    public NativeSlice ExpectedChangeVector { get; init; }

    /// <summary>A conflict: the version that is stored; empty if there is none.</summary>
    public NativeSlice ActualChangeVector { get; init; }

    /// <summary>A conflict: an earlier operation of the same batch wrote the document.</summary>
    internal bool IsWithinBatch { get; init; }

    /// <summary>What is wrong with the id.</summary>
    internal Ids.DocumentIdError IdError { get; init; }

    /// <summary>The value that another document has, if it must be unique.</summary>
    public UniqueConflict? Unique { get; init; }

    /// <summary>A sentence that names what is missing or refused, if the kind alone does not say it.</summary>
    internal string? Detail { get; init; }

    /// <summary>True if the command was done.</summary>
    public bool IsNone => Kind == CommandFailureKind.None;

    /// <summary>A sentence for the client.</summary>
    public string Describe() => Kind switch
    {
        CommandFailureKind.None => "Done.",
        CommandFailureKind.BadId => $"Bad id: {IdError.Describe()}",
        CommandFailureKind.BadMetadata =>
            $"Document '{Text(Id)}': @metadata must be an object, its @collection a text of at most 512 bytes, "
            + "its @expires, @refresh and @archive-at times.",
        CommandFailureKind.DocumentTooLarge => $"Document '{Text(Id)}' is larger than this database takes.",
        CommandFailureKind.Conflict => Detail ?? DescribeConflict(),
        CommandFailureKind.DocumentMissing => Detail ?? $"Document '{Text(Id)}' does not exist.",
        CommandFailureKind.ReadChanged => "What the scripts read was changed while they ran.",
        _ when Detail is not null => Detail,
        _ => $"'{Text(Id)}': a number is out of its range.",
    };

    /// <summary>The failure of an operation whose document has another version than was expected.</summary>
    internal static CommandFailure Conflict(
        in DocumentOperation operation, NativeSlice actual, bool isWithinBatch) => new()
        {
            Kind = CommandFailureKind.Conflict,
            Id = operation.Id,
            ExpectedChangeVector = operation.Expected,
            ActualChangeVector = actual,
            IsWithinBatch = isWithinBatch,
        };

    /// <summary>The failure of an operation that keeps a version of a document that has none.</summary>
    internal static CommandFailure NotSaved(in DocumentOperation operation) => new()
    {
        Kind = CommandFailureKind.DocumentMissing,
        Id = operation.Id,
        Detail = "Can't force revision creation - the document was not saved on the server yet. "
            + $"Document '{Text(operation.Id)}' does not exist.",
    };

    /// <summary>The failure of a write that would give a value that must be unique to a second document.</summary>
    internal static CommandFailure NotUnique(UniqueConflict conflict) => new()
    {
        Kind = CommandFailureKind.NotUnique,
        Unique = conflict,
        Detail = conflict.Describe(),
    };

    /// <summary>The failure of a write of a document that breaks the schema of its collection.</summary>
    internal static CommandFailure Invalid(NativeSlice id, string collection, SchemaViolation violation) => new()
    {
        Kind = CommandFailureKind.Invalid,
        Id = id,
        Detail = $"Document '{Text(id)}' breaks the schema of collection '{collection}': {violation.Describe()}",
    };

    /// <summary>The same failure, for another operation of the batch.</summary>
    internal CommandFailure At(int operationIndex) => this with { OperationIndex = operationIndex };

    private string DescribeConflict()
    {
        if (IsWithinBatch)
        {
            return $"Document '{Text(Id)}' is written by an earlier command of the same batch, so that it cannot have "
                + (ExpectedChangeVector.IsEmpty ? "no version." : $"change vector '{Text(ExpectedChangeVector)}'.");
        }

        if (ExpectedChangeVector.IsEmpty)
        {
            return $"Document '{Text(Id)}' must not exist, but does, with change vector '{Text(ActualChangeVector)}'.";
        }

        string actual = ActualChangeVector.IsEmpty ? "does not exist" : $"has '{Text(ActualChangeVector)}'";
        return $"Document '{Text(Id)}' is expected to have change vector '{Text(ExpectedChangeVector)}', but {actual}.";
    }

    private static string Text(NativeSlice utf8) => Encoding.UTF8.GetString(utf8.Span);
}

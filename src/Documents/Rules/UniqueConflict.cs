namespace Raven.Documents.Rules;

/// <summary>Why a write was refused by a unique constraint.</summary>
/// <param name="Collection">The collection of the constraint.</param>
/// <param name="Constraint">Its name.</param>
/// <param name="Fields">Its fields.</param>
/// <param name="Values">The value of each field, JSON; long ones are cut.</param>
/// <param name="Id">The document that was to be written.</param>
/// <param name="Holder">The document that has the values.</param>
public sealed record UniqueConflict(
    string Collection, string Constraint, IReadOnlyList<string> Fields, IReadOnlyList<string> Values, string Id,
    string Holder)
{
    /// <summary>The folded id of the document that was to be written.</summary>
    internal byte[] Key { get; init; } = [];

    /// <summary>A sentence for the client.</summary>
    public string Describe() =>
        $"Document '{Id}' cannot be written: "
        + string.Join(", ", Fields.Zip(Values, (field, value) => $"{field} = {value}"))
        + $" is the value of document '{Holder}', and the constraint '{Constraint}' of collection '{Collection}' lets "
        + "only one document have it.";
}

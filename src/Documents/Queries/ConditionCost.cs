namespace Raven.Documents.Queries;

/// <summary>What one condition of a query finds by itself.</summary>
/// <param name="Condition">The condition, as text.</param>
/// <param name="Entries">How many entries of the index meet it.</param>
/// <param name="TermsRead">How many terms were read for that.</param>
public readonly record struct ConditionCost(string Condition, long Entries, long TermsRead);

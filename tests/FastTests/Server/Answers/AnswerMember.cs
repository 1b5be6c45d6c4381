namespace FastTests.Server.Answers;

/// <summary>A member that clients read of an answer.</summary>
/// <param name="Path">Its path: <c>a.b</c> nested, <c>[]</c> an item of a list, <c>*</c> any key.</param>
/// <param name="Type">Its JSON type, or <c>date</c>, <c>timespan</c>, <c>size</c>, <c>any</c>.</param>
/// <param name="Must"><c>present</c>, <c>nonnull</c> or <c>optional</c>.</param>
/// <param name="Values">The values of its enumeration; empty if it is of none.</param>
/// <param name="IsNullWrong">True if it may be left out but not be null.</param>
/// <param name="IsLeftOut">True if we leave it out.</param>
internal sealed record AnswerMember(
    string Path, string Type, string Must, string[] Values, bool IsNullWrong, bool IsLeftOut);

namespace Raven.Documents.Operations;

/// <summary>Why an operation failed, in the form that clients read.</summary>
/// <param name="StatusCode">The HTTP status that the failure has.</param>
/// <param name="Type">The name that clients know the failure by.</param>
/// <param name="Message">What is wrong, and where.</param>
public sealed record OperationFailure(int StatusCode, string Type, string Message);

namespace Raven.Documents.Operations;

/// <summary>Why an operation failed. What its clients need to know besides is added by what runs it.</summary>
/// <param name="Message">What is wrong, and where.</param>
public record OperationFailure(string Message);

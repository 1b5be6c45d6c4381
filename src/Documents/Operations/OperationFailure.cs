namespace Raven.Documents.Operations;

/// <summary>Why an operation failed. What its clients need to know besides is added by what runs it.</summary>
/// <param name="message">What is wrong, and where.</param>
public class OperationFailure(string message)
{
    /// <summary>What is wrong, and where.</summary>
    public string Message { get; } = message;
}

using Raven.Client.Exceptions.Documents.Subscriptions;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>One document of a batch.</summary>
/// <typeparam name="T">Its type.</typeparam>
public sealed class SubscriptionItem<T> where T : class
{
    private readonly T? _result;

    internal SubscriptionItem(
        string id, string changeVector, T? result, string? exceptionMessage, bool isProjection,
        ReadOnlyMemory<byte> document)
    {
        Id = id;
        ChangeVector = changeVector;
        _result = result;
        ExceptionMessage = exceptionMessage;
        IsProjection = isProjection;
        Document = document;
    }

    /// <summary>The id of the document.</summary>
    public string Id { get; }

    /// <summary>Its version.</summary>
    public string ChangeVector { get; }

    /// <summary>Why the script of the query failed at it; null if it did not.</summary>
    public string? ExceptionMessage { get; }

    /// <summary>Whether it is a projection, which no session tracks.</summary>
    public bool IsProjection { get; }

    /// <summary>The document.</summary>
    /// <exception cref="SubscriptionException">The script of the query failed at it.</exception>
    public T Result => _result ?? throw new SubscriptionException(
        $"The script of the subscription failed at '{Id}': {ExceptionMessage}");

    /// <summary>The object that a session tracks; null if there is none.</summary>
    internal T? Tracked => IsProjection ? null : _result;

    internal ReadOnlyMemory<byte> Document { get; }
}

namespace Raven.Server.Http;

/// <summary>Bytes of a request as they arrive: a whole body, or one part of it.</summary>
public interface IBodyBytes
{
    /// <summary>Bytes that were read and not consumed.</summary>
    ReadOnlySpan<byte> Current { get; }

    /// <summary>Bytes consumed so far: the position of <see cref="Current"/>.</summary>
    long Position { get; }

    /// <summary>Waits for more bytes than <see cref="Current"/> holds now; all of it must have been consumed.</summary>
    /// <returns>False at the end.</returns>
    ValueTask<bool> ReadAsync(CancellationToken cancellation);

    /// <summary>Says that the first bytes of <see cref="Current"/> were used.</summary>
    void Consume(int count);
}

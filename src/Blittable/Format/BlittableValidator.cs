namespace Raven.Blittable.Format;

/// <summary>
/// Checks documents that came from outside (a client, replication, a backup) before anything reads them. It accepts
/// only what <c>BlittableWriter</c> could have written: readers need no checks, JSON made of it is valid, and no two
/// parts overlap, so that the time of reading is proportional to the size.
/// </summary>
public static class BlittableValidator
{
    /// <summary>Checks a document of at most the default depth.</summary>
    public static bool TryValidate(ReadOnlySpan<byte> document, out BlittableError error) =>
        TryValidate(document, BlittableFormat.DepthMaxDefault, out error);

    /// <summary>Checks a document.</summary>
    /// <param name="document">Exactly its bytes; none outside of them is read.</param>
    /// <param name="depthMax">How deep it may nest, 1 to 512.</param>
    /// <param name="error">The error.</param>
    public static bool TryValidate(ReadOnlySpan<byte> document, int depthMax, out BlittableError error)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(depthMax, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(depthMax, BlittableFormat.DepthMax);
        DocumentChecker checker = new(document, depthMax);
        bool valid = checker.Check();
        error = valid ? default : checker.Error;
        return valid;
    }

    /// <summary>Checks a document.</summary>
    /// <exception cref="InvalidBlittableException">It is not one.</exception>
    public static void Validate(ReadOnlySpan<byte> document)
    {
        if (!TryValidate(document, out BlittableError error))
        {
            throw new InvalidBlittableException(error);
        }
    }
}

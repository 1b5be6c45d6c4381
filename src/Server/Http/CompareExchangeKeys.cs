using Raven.Documents.Ids;

namespace Raven.Server.Http;

/// <summary>Keys of compare-exchange values in requests.</summary>
internal static class CompareExchangeKeys
{
    /// <summary>Refuses a text that is no valid key.</summary>
    /// <exception cref="BadRequestException">It is not valid; a key that is too long has a type of its own.</exception>
    internal static void Check(ReadOnlySpan<byte> key)
    {
        if (DocumentId.TryValidate(key, out DocumentIdError error))
        {
            return;
        }

        throw error.Problem is DocumentIdProblem.TooLong or DocumentIdProblem.TooLongAfterFolding
            ? new BadRequestException(
                400, ErrorType.CompareExchangeKeyTooBig,
                $"The compare exchange key has {key.Length} bytes and cannot exceed {DocumentId.SizeBytesMax} bytes.")
            : new BadRequestException(400, ErrorType.Argument, $"Bad key: {error.Describe()}");
    }
}

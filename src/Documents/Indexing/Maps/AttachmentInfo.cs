namespace Raven.Documents.Indexing.Maps;

/// <summary>An attachment, as maps see it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Hash">The hash of its content.</param>
/// <param name="ContentType">Its content type, as it was stored.</param>
/// <param name="Size">The length of its content in bytes.</param>
internal sealed record AttachmentInfo(string Name, string Hash, string ContentType, long Size);

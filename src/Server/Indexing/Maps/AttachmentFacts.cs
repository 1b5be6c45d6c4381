namespace Raven.Server.Indexing.Maps;

/// <summary>What a map is told of an attachment.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Hash">The hash of its content.</param>
/// <param name="ContentType">What it says its content is.</param>
/// <param name="Size">The length of its content in bytes.</param>
internal sealed record AttachmentFacts(string Name, string Hash, string ContentType, long Size);

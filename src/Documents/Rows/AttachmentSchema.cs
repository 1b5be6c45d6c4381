namespace Raven.Documents.Rows;

//   NAME                   STRUCTURE    KEY                                  VALUE
//   Attachments            RowHeap                                           rows: RowLayout with AttachmentLayout
//   Attachments.ByKey      Tree         AttachmentKey                        int64, row
//   Attachments.ByEtag     FixedTree    etag                                 int64, row
//   Attachments.Streams    StreamStore  hash; or 16 bytes, an upload's id    the bytes
//   Attachments.Hashes     Tree         hash                                 int64, how many links there are to it
//   Attachments.Uploads    Tree         16 bytes, an upload's id             empty
//   Attachments.Revisions  Tree         etag of a revision, big-endian,      a whole row, as it was then
//                                       then the folded name
//
//   ATT-1  A hash is in Streams exactly while it is in Hashes with a count above 0, which is the number of rows in
//          Attachments and in Attachments.Revisions that name it.
//   ATT-2  An upload under way has its bytes in Streams under its own id, and that id in Uploads. What is in Uploads
//          when a database is opened has no owner any more, and is removed.
//   ATT-3  A document has HasAttachments exactly while there are keys that begin with its own.

/// <summary>The structures of attachments in a database. Names and layouts are part of the file format.</summary>
internal static class AttachmentSchema
{
    /// <summary>The size of an upload's id.</summary>
    internal const int UploadIdSizeBytes = 16;

    internal static ReadOnlySpan<byte> Attachments => "Attachments"u8;

    internal static ReadOnlySpan<byte> ByKey => "Attachments.ByKey"u8;

    internal static ReadOnlySpan<byte> ByEtag => "Attachments.ByEtag"u8;

    internal static ReadOnlySpan<byte> Streams => "Attachments.Streams"u8;

    internal static ReadOnlySpan<byte> Hashes => "Attachments.Hashes"u8;

    internal static ReadOnlySpan<byte> Uploads => "Attachments.Uploads"u8;

    internal static ReadOnlySpan<byte> Revisions => "Attachments.Revisions"u8;
}

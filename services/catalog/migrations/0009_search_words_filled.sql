DROP PROCEDURE fill_tool_words();

// Uploads a file as a form of unknown length (written while it is sent), and prints the answer: upload BASE FILE (KEY: environment).
package main

import (
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	file, err := os.Open(os.Args[2])
	if err != nil {
		panic(err)
	}
	reader, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	go func() {
		part, _ := form.CreateFormFile("file", filepath.Base(os.Args[2]))
		io.Copy(part, file)
		form.Close()
		writer.Close()
	}()
	request, _ := http.NewRequest("POST", os.Args[1]+"/images/upload", reader)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	request.Header.Set("Accept", "text/plain")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(answer.Body)
	fmt.Printf("%d\n%s", answer.StatusCode, body)
}
